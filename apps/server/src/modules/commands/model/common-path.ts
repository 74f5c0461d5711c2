import { ROOT_PATH } from '../../../platform/scope/scope.ts'

/** Path of the lowest common ancestor of sorted paths, from the first and the last of them. */
export function toCommonPath(first: string, last: string): string {
  // All paths in between share the common prefix of the first and the last.
  let shared = 0
  while (shared < first.length && first[shared] === last[shared]) shared += 1
  return first.slice(0, first.lastIndexOf('/', shared - 1) + 1) || ROOT_PATH
}
