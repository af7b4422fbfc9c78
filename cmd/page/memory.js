// A file system in memory, with as much of Node's "fs" as Go's os package asks of it
// on js/wasm. Everything is gone with the page.
(() => {
  const O = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const FOLDER = 0o040000, FILE = 0o100000;
  let lastNode = 1, lastHandle = 2;
  const node = (mode) => ({ ino: lastNode++, mode, names: 1, time: Date.now(), size: 0, bytes: new Uint8Array(0), entries: mode & FOLDER ? new Map() : null });
  const root = node(FOLDER | 0o700);
  root.entries.set("tmp", node(FOLDER | 0o700));
  const handles = new Map();

  const fail = (code) => { throw Object.assign(new Error(code), { code }); };
  const parts = (path) => path.split("/").filter((p) => p && p !== ".");
  const walk = (list) => list.reduce((at, name) => !at.entries ? fail("ENOTDIR") : at.entries.get(name) || fail("ENOENT"), root);
  const find = (path) => walk(parts(path));
  // place returns the folder of a path, and the name in it.
  const place = (path) => {
    const list = parts(path), name = list.pop();
    const folder = walk(list);
    if (!folder.entries) fail("ENOTDIR");
    return [folder, name ?? fail("EEXIST")];
  };
  const change = (n) => { n.time = Date.now(); };
  const put = (folder, name, n) => { folder.entries.set(name, n); change(folder); };
  const take = (folder, name) => { folder.entries.get(name).names--; folder.entries.delete(name); change(folder); };
  const resize = (n, size) => {
    if (size > n.bytes.length) {
      const grown = new Uint8Array(Math.max(size, Math.min(2 * n.bytes.length, n.bytes.length + (64 << 20))));
      grown.set(n.bytes.subarray(0, n.size));
      n.bytes = grown;
    }
    if (size < n.size) n.bytes.fill(0, size, n.size);
    n.size = size;
    change(n);
  };
  const stat = (n) => ({
    dev: 1, ino: n.ino, mode: n.mode, nlink: n.names, uid: 0, gid: 0, rdev: 0, size: n.size, blksize: 4096, blocks: Math.ceil(n.size / 512),
    atimeMs: n.time, mtimeMs: n.time, ctimeMs: n.time, isDirectory: () => Boolean(n.entries),
  });
  const handle = (fd) => handles.get(fd) || fail("EBADF");
  const say = (fd, text) => { (fd === 1 ? console.log : console.error)(text.trimEnd()); };

  const operations = {
    open: (path, flags, perm) => {
      const [folder, name] = parts(path).length ? place(path) : [null, null];
      let n = folder ? folder.entries.get(name) : root;
      if (n && flags & O.O_CREAT && flags & O.O_EXCL) fail("EEXIST");
      if (!n && !(flags & O.O_CREAT)) fail("ENOENT");
      if (!n) put(folder, name, n = node(FILE | perm & 0o777));
      if (n.entries && flags & 3) fail("EISDIR");
      if (!n.entries && flags & O.O_DIRECTORY) fail("ENOTDIR");
      if (flags & O.O_TRUNC) resize(n, 0);
      handles.set(++lastHandle, { n, at: 0, append: Boolean(flags & O.O_APPEND) });
      return lastHandle;
    },
    close: (fd) => { handle(fd); handles.delete(fd); },
    read: (fd, buffer, offset, length, position) => {
      const f = handle(fd), from = position ?? f.at;
      if (f.n.entries) fail("EISDIR");
      const count = Math.max(0, Math.min(length, f.n.size - from));
      buffer.set(f.n.bytes.subarray(from, from + count), offset);
      if (position === null || position === undefined) f.at = from + count;
      return count;
    },
    write: (fd, buffer, offset, length, position) => {
      const piece = buffer.subarray(offset, offset + length);
      if (fd === 1 || fd === 2) { say(fd, new TextDecoder().decode(piece)); return length; }
      const f = handle(fd), at = f.append ? f.n.size : position ?? f.at;
      resize(f.n, Math.max(f.n.size, at + length));
      f.n.bytes.set(piece, at);
      if (position === null || position === undefined) f.at = at + length;
      return length;
    },
    mkdir: (path, perm) => {
      const [folder, name] = place(path);
      if (folder.entries.has(name)) fail("EEXIST");
      put(folder, name, node(FOLDER | perm & 0o777));
    },
    readdir: (path) => [...(find(path).entries || fail("ENOTDIR")).keys()].sort(),
    stat: (path) => stat(find(path)),
    lstat: (path) => stat(find(path)),
    fstat: (fd) => stat(handle(fd).n),
    unlink: (path) => {
      const [folder, name] = place(path), n = folder.entries.get(name) || fail("ENOENT");
      if (n.entries) fail("EISDIR");
      take(folder, name);
    },
    rmdir: (path) => {
      const [folder, name] = place(path), n = folder.entries.get(name) || fail("ENOENT");
      if (!n.entries) fail("ENOTDIR");
      if (n.entries.size) fail("ENOTEMPTY");
      take(folder, name);
    },
    rename: (from, to) => {
      const [a, x] = place(from), [b, y] = place(to);
      const n = a.entries.get(x) || fail("ENOENT"), old = b.entries.get(y);
      if (old === n) return;
      if (n.entries && (to + "/").startsWith(from + "/")) fail("EINVAL");
      if (old && old.entries && !n.entries) fail("EISDIR");
      if (old && !old.entries && n.entries) fail("ENOTDIR");
      if (old && old.entries && old.entries.size) fail("ENOTEMPTY");
      if (old) take(b, y);
      a.entries.delete(x);
      change(a);
      put(b, y, n);
    },
    link: (from, to) => {
      const n = find(from), [folder, name] = place(to);
      if (n.entries) fail("EPERM");
      if (folder.entries.has(name)) fail("EEXIST");
      n.names++;
      put(folder, name, n);
    },
    truncate: (path, size) => resize(find(path), size),
    ftruncate: (fd, size) => resize(handle(fd).n, size),
    chmod: (path, mode) => { const n = find(path); n.mode = n.mode & ~0o777 | mode & 0o777; },
    fchmod: (fd, mode) => { const { n } = handle(fd); n.mode = n.mode & ~0o777 | mode & 0o777; },
    utimes: (path, _, mtime) => { find(path).time = 1000 * mtime; },
    fsync: (fd) => { handle(fd); },
    chown: (path) => { find(path); }, fchown: (fd) => { handle(fd); }, lchown: (path) => { find(path); },
    readlink: (path) => { find(path); fail("EINVAL"); }, // there are no symbolic links
    symlink: () => fail("EPERM"),
  };

  globalThis.fs = { constants: O, writeSync: (fd, buffer) => operations.write(fd, buffer, 0, buffer.length, null) };
  for (const [name, operation] of Object.entries(operations)) {
    globalThis.fs[name] = (...args) => {
      const callback = args.pop();
      let answer;
      try { answer = operation(...args); } catch (error) { callback(error.code ? error : Object.assign(error, { code: "EIO" })); return; }
      callback(null, answer);
    };
  }
  globalThis.process = {
    pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0o077,
    cwd: () => "/", chdir: (path) => { find(path).entries || fail("ENOTDIR"); },
  };
})();
