import { isExternal } from '../../../shared/url/external.ts'
import type { Place } from '../help-store.ts'

/** What a link of a chapter leads to; nothing for a scheme that is not one of external links. */
export type Target =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'outside'; readonly href: string }
  | { readonly kind: 'nothing' }

const CHAPTER = /^(?:([\w-]+)\.md)?(?:#(.+))?$/

/** The target of a link such as `fmreal.md#heading`, `#heading` or an address on the web. */
export function toTarget(href: string, chapter: string): Target {
  const [whole, name = chapter, heading] = CHAPTER.exec(href) ?? []
  if (whole === undefined || whole === '')
    return isExternal(href) ? { kind: 'outside', href } : { kind: 'nothing' }
  return {
    kind: 'place',
    place: heading === undefined ? { chapter: name } : { chapter: name, heading: decodeURI(heading) },
  }
}
