"""A child that nobody reads from writes more than its pipe holds; the parent waits for its end."""
# stands: process wait 10
# entry: -

import subprocess
import sys

words = [sys.executable, "-c", "print('x' * 10**6)"]
child = subprocess.Popen(words, stdout=subprocess.PIPE)
child.wait()
