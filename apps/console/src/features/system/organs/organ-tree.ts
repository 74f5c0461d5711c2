import type { Organisation } from '@isotherm/contract/endpoints/network/organisations'

/** An organisation with its place in the tree of its company. */
export interface OrganRow extends Organisation {
  /** Names above it, the company's direct part first. */
  readonly above: readonly string[]
  /** Number of direct parts. */
  readonly partCount: number
}

/** Organisations as trees: each followed by its parts, in the order of the server. */
export function toOrganRows(organs: readonly Organisation[]): readonly OrganRow[] {
  const ids = new Set(organs.map(({ id }) => id))
  const parts = new Map<number | null, Organisation[]>()
  for (const organ of organs) {
    // A part whose organisation is not visible is shown at the top.
    const key = organ.parentId !== null && ids.has(organ.parentId) ? organ.parentId : null
    parts.set(key, [...(parts.get(key) ?? []), organ])
  }
  const toRows = (parent: number | null, above: readonly string[]): readonly OrganRow[] =>
    (parts.get(parent) ?? []).flatMap((organ) => [
      { ...organ, above, partCount: parts.get(organ.id)?.length ?? 0 },
      ...toRows(organ.id, [...above, organ.name]),
    ])
  return toRows(null, [])
}

/** The organisations that `moved` can be a part of: those of its company, except itself and its own parts. */
export function listPlaces(rows: readonly OrganRow[], moved: Organisation): readonly OrganRow[] {
  const below = new Set([moved.id])
  for (const { id, parentId } of rows) if (parentId !== null && below.has(parentId)) below.add(id)
  return rows.filter(({ id, companyId }) => companyId === moved.companyId && !below.has(id))
}
