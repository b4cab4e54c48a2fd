"""What the browser tests share: the server process, the page as an object, conditions to wait for, scene scripts."""
