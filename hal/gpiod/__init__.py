"""GPIO lines through the kernel's character device, by libgpiod 2: edges with the kernel's stamps and numbers."""
