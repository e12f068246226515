// What we use of fs-native-extensions, which has no types of its own.
declare module "fs-native-extensions" {
  /** Takes an exclusive lock of the open file description, which ends with it; false where another has one. */
  export function tryLock(fd: number): boolean;
}
