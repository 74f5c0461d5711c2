/** Tracks the query of the address including changes that the router has not applied yet. */
export interface RequestedSearch {
  /** The query to change, while the router shows `present`: it includes changes that are not shown yet. */
  readonly from: (present: URLSearchParams) => URLSearchParams
  /** Records that `next` was requested while the router showed `present`. */
  readonly note: (present: URLSearchParams, next: URLSearchParams) => void
  /** Call it when the router shows another query. */
  readonly forget: () => void
}

/** Needed because the router bases both of two quick changes on the shown query, so the second would undo the first. */
export function createRequestedSearch(): RequestedSearch {
  let requested: { readonly present: string; readonly next: string } | undefined
  return {
    from: (present) =>
      requested?.present === present.toString()
        ? new URLSearchParams(requested.next)
        : new URLSearchParams(present),
    note(present, next) {
      requested = { present: present.toString(), next: next.toString() }
    },
    forget() {
      requested = undefined
    },
  }
}
