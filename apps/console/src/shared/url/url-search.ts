/** The newest requested query of the address. The router may not show it yet. */
export interface RequestedSearch {
  /** The query from which the next change starts, while the router shows `present`. */
  readonly from: (present: URLSearchParams) => URLSearchParams
  /** Records that `next` was requested while the router showed `present`. */
  readonly note: (present: URLSearchParams, next: URLSearchParams) => void
  /** Call it when the router shows another query. */
  readonly forget: () => void
}

/**
 * Without it, two quick changes would both start from the query that the router shows, and the second would undo the
 * first.
 */
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
