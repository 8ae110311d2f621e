/* A libnvidia-ml.so.1 for machines without an NVIDIA driver: the lowest boundary that there is. FAKE_NVML chooses what
 * it plays; OLD leaves out what drivers before R510 lack. Values are those of real cards. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { unsigned int version; unsigned long long total, reserved, free, used; } memory_v2;
typedef struct { unsigned long long total, free, used; } memory_v1;
typedef struct { unsigned int pid; unsigned long long used; unsigned int gi, ci; } process_info;

enum { OK = 0, NOT_SUPPORTED = 3, NO_PERMISSION = 4, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15, MISMATCH = 18 };

static const unsigned long long GIB = 1ull << 30;
static int plays(const char *name) { const char *what = getenv("FAKE_NVML"); return what && strcmp(what, name) == 0; }

/* Handles: 1 and 2 are cards; 11, 13 are instances of card 1. */
int nvmlInitWithFlags(unsigned int flags) {
    (void)flags;
    if (plays("not-loaded")) return DRIVER_NOT_LOADED;
    if (plays("mismatch")) return MISMATCH;
    if (plays("hangs")) sleep(600);
    return OK;
}
int nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(int code) { (void)code; return "an error of the fake"; }
int nvmlSystemGetDriverVersion(char *text, unsigned int length) { strncpy(text, "550.54.15", length); return OK; }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = 12040; return OK; }
int nvmlDeviceGetCount_v2(unsigned int *count) { *count = plays("none") ? 0 : 2; return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) {
    if (plays("refused") && index == 0) return NO_PERMISSION;
    *device = (void *)(unsigned long)(index + 1);
    return OK;
}
int nvmlDeviceGetName(void *device, char *name, unsigned int length) {
    unsigned long handle = (unsigned long)device;
    strncpy(name, handle == 2 ? "NVIDIA A100-SXM4-40GB" : handle > 10 ? "NVIDIA H100 MIG 1g.10gb" : "NVIDIA H100", length);
    return OK;
}
int nvmlDeviceGetUUID(void *device, char *uuid, unsigned int length) {
    unsigned long handle = (unsigned long)device;
    const char *known[] = {"GPU-aaaaaaaa-1111-2222-3333-444444444444", "GPU-bbbbbbbb-1111-2222-3333-444444444444",
                           "MIG-cccccccc-1111-2222-3333-444444444444", "MIG-dddddddd-1111-2222-3333-444444444444"};
    strncpy(uuid, known[handle == 1 ? 0 : handle == 2 ? 1 : handle == 11 ? 2 : 3], length);
    return OK;
}
int nvmlDeviceGetMemoryInfo(void *device, memory_v1 *memory) {
    unsigned long handle = (unsigned long)device;
    if (plays("integrated")) return NOT_SUPPORTED;
    if (plays("lost") && handle == 1) return GPU_IS_LOST;
    memory->total = handle == 1 ? 80 * GIB : handle == 2 ? 40 * GIB : 10 * GIB;
    memory->free = handle == 1 ? 1 * GIB : handle == 2 ? 39 * GIB : handle == 11 ? 2 * GIB : 9 * GIB;
    memory->used = memory->total - memory->free;
    return OK;
}
int nvmlDeviceGetComputeMode(void *device, unsigned int *mode) {
    if (plays("virtual")) return NOT_SUPPORTED;
    *mode = plays("exclusive") && device == (void *)2 ? 3 : 0;
    return OK;
}
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
    if ((unsigned long)device > 10) return NOT_SUPPORTED;
    *major = device == (void *)1 ? 9 : 8;
    *minor = 0;
    return OK;
}
static int processes(void *device, unsigned int *count, process_info *infos, int graphics) {
    unsigned int room = *count, n = graphics ? (device == (void *)1 ? 1 : 0) : 2;
    const char *own = getenv("FAKE_NVML_PID");
    if (plays("virtual")) return NOT_SUPPORTED;
    if (plays("exclusive")) n = graphics ? 0 : 1;
    else if (device != (void *)1) n = 0;
    *count = n;
    if (n == 0) return OK;
    if (room < n) return INSUFFICIENT_SIZE;
    for (unsigned int i = 0; i < n; i++) {
        infos[i].pid = i == 0 ? (own ? (unsigned int)atoi(own) : 1u) : 4000000001u;
        infos[i].used = i == 0 ? 70 * GIB : ~0ull; /* all ones: not available, as under WDDM */
        infos[i].gi = infos[i].ci = 0xFFFFFFFF;
    }
    return OK;
}
#ifdef OLD
int nvmlDeviceGetComputeRunningProcesses_v2(void *d, unsigned int *n, process_info *i) { return processes(d, n, i, 0); }
int nvmlDeviceGetGraphicsRunningProcesses_v2(void *d, unsigned int *n, process_info *i) { return processes(d, n, i, 1); }
#else
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned int *n, process_info *i) { return processes(d, n, i, 0); }
int nvmlDeviceGetGraphicsRunningProcesses_v3(void *d, unsigned int *n, process_info *i) { return processes(d, n, i, 1); }
int nvmlDeviceGetMemoryInfo_v2(void *device, memory_v2 *memory) {
    memory_v1 first;
    int status = nvmlDeviceGetMemoryInfo(device, &first);
    if (status != OK || memory->version != 0x02000028) return status ? status : NOT_SUPPORTED;
    memory->total = first.total, memory->free = first.free, memory->reserved = GIB / 2, memory->used = first.used - GIB / 2;
    return OK;
}
int nvmlDeviceGetMigMode(void *device, unsigned int *now, unsigned int *later) {
    if (device != (void *)1) return NOT_SUPPORTED;
    *now = *later = plays("mig") || plays("mig-empty");
    return OK;
}
int nvmlDeviceGetMaxMigDeviceCount(void *device, unsigned int *count) { (void)device; *count = 7; return OK; }
int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned int index, void **instance) {
    if (device != (void *)1 || plays("mig-empty") || (index != 0 && index != 2)) return NOT_FOUND;
    *instance = (void *)(unsigned long)(11 + index);
    return OK;
}
#endif
