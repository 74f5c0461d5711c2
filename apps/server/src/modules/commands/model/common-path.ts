import { ROOT_PATH } from '../../../platform/scope/scope.ts'

/** Of the lowest node below which all paths are, by the first and the last of them in their order. */
export function toCommonPath(first: string, last: string): string {
  // All paths between two share what those two share.
  let shared = 0
  while (shared < first.length && first[shared] === last[shared]) shared += 1
  return first.slice(0, first.lastIndexOf('/', shared - 1) + 1) || ROOT_PATH
}
