/** A page that was shown and is kept. */
export interface View<Content> {
  /** Key of its tab. */
  readonly key: string
  /** The how-manieth making of this view: a refresh makes it anew. */
  readonly refresh: number
  /** Grows with every showing: who has the lowest has not been seen for the longest time. */
  readonly seen: number
  /** Without a cache it goes as soon as another is in front. */
  readonly noCache: boolean
  readonly content: Content
}

/** Views kept at once, the one in front among them. Each holds its page's elements in memory. */
const MOST_VIEWS = 8

const isSame = <Content>(left: View<Content>, right: View<Content>): boolean =>
  left.key === right.key && left.refresh === right.refresh

/**
 * The views to keep with `front` in front, in a stable order (moving them would move their elements). Gone are
 * those whose tab is closed or was refreshed, those that want no cache, and above the most that may be kept
 * those not seen for the longest time. The same list comes back when nothing changed.
 */
export function arrangeViews<Content>(
  views: readonly View<Content>[],
  front: Omit<View<Content>, 'seen'>,
  isKept: (view: View<Content>) => boolean,
  most = MOST_VIEWS,
): readonly View<Content>[] {
  const newest = Math.max(0, ...views.map((view) => view.seen))
  const known = views.find((view) => view.key === front.key && view.refresh === front.refresh)
  const seen = known && known.seen === newest ? newest : newest + 1
  const shown: View<Content> =
    known && known.seen === seen && known.content === front.content ? known : { ...front, seen }
  const hidden = views.filter((view) => view.key !== front.key && !view.noCache && isKept(view))
  const recent = new Set(hidden.toSorted((left, right) => right.seen - left.seen).slice(0, most - 1))
  const kept = views.flatMap((view) => {
    if (isSame(view, shown)) return [shown]
    return recent.has(view) ? [view] : []
  })
  const next = known ? kept : [...kept, shown]
  return next.length === views.length && next.every((view, index) => view === views[index]) ? views : next
}
