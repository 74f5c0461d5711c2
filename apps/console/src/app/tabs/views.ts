/** A page that was shown and is cached. */
export interface View<Content> {
  /** Key of its tab. */
  readonly key: string
  /** Number of refreshes of the tab when this view was created. A refresh replaces the view. */
  readonly refresh: number
  /** Order in which views were last shown. The lowest number was shown the longest time ago. */
  readonly seen: number
  /** Drop the view as soon as another one is in front. */
  readonly noCache: boolean
  readonly content: Content
}

/** Maximum of cached views, including the one in front. Each holds the elements of its page in memory. */
const MAX_VIEWS = 8

const isSame = <Content>(left: View<Content>, right: View<Content>): boolean =>
  left.key === right.key && left.refresh === right.refresh

/**
 * The views to cache while `front` is in front. The order is stable, because moving a view would move its elements. Drops
 * views of closed or refreshed tabs and views with `noCache`. Above `most` views, drops those shown the longest time ago.
 * Returns the same list if nothing changed.
 */
export function arrangeViews<Content>(
  views: readonly View<Content>[],
  front: Omit<View<Content>, 'seen'>,
  isOpen: (view: View<Content>) => boolean,
  most = MAX_VIEWS,
): readonly View<Content>[] {
  const newest = Math.max(0, ...views.map((view) => view.seen))
  const known = views.find((view) => view.key === front.key && view.refresh === front.refresh)
  const seen = known && known.seen === newest ? newest : newest + 1
  const shown: View<Content> =
    known && known.seen === seen && known.content === front.content ? known : { ...front, seen }
  const hidden = views.filter((view) => view.key !== front.key && !view.noCache && isOpen(view))
  const recent = new Set(hidden.toSorted((left, right) => right.seen - left.seen).slice(0, most - 1))
  const remaining = views.flatMap((view) => {
    if (isSame(view, shown)) return [shown]
    return recent.has(view) ? [view] : []
  })
  const next = known ? remaining : [...remaining, shown]
  return next.length === views.length && next.every((view, index) => view === views[index]) ? views : next
}
