// The websocket is beside the page, whatever name, port or proxy led here. Run before textual.js looks for it.
const terminal = document.getElementById("terminal");
terminal.dataset.sessionWebsocketUrl = new URL("ws", location.href).href.replace(/^http/, "ws");

// The terminal measures its font as it opens: it waits for the letters, and with the first byte it takes the
// keyboard: textual.js tells the server of it, which a socket that is still opening refuses.
const start = () => {
  const opened = window.onload;
  window.onload = null;
  document.fonts.load('16px "Roboto Mono"').catch(() => []).then(() => {
    opened();
    const keys = () => terminal.querySelector("textarea")?.focus();
    new MutationObserver(keys).observe(document.body, {attributes: true, attributeFilter: ["class"]});
    window.addEventListener("focus", keys);
  });
};
// textual.js assigns window.onload, and is read after this file.
document.addEventListener("DOMContentLoaded", start);

// textual.js asks for a download at the top of the site; it is beside the page, as everything is.
const open = window.open.bind(window);
window.open = (url, ...rest) => open(url.replace(`${location.origin}/download/`, new URL("download/", location).href), ...rest);

// The server closes a socket that brings more than 4 MiB at once.
terminal.addEventListener("paste", (event) => {
  if (new Blob([JSON.stringify(event.clipboardData.getData("text"))]).size < 4e6) return;
  event.preventDefault();
  event.stopPropagation();
  alert(terminal.dataset.large);
}, true);
