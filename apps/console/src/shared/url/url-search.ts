/** Tracks the query of the address including changes that the router has not applied yet. */
export interface AskedSearch {
  /** The base of a change while the router shows `present`. */
  readonly from: (present: URLSearchParams) => URLSearchParams
  /** Records that `next` was requested while the router showed `present`. */
  readonly note: (present: URLSearchParams, next: URLSearchParams) => void
  /** The router shows another query now. */
  readonly forget: () => void
}

/** The router applies two changes to the same shown query, so the second would undo the first. */
export function createAskedSearch(): AskedSearch {
  let asked: { readonly present: string; readonly next: string } | undefined
  return {
    from: (present) =>
      asked?.present === present.toString() ? new URLSearchParams(asked.next) : new URLSearchParams(present),
    note(present, next) {
      asked = { present: present.toString(), next: next.toString() }
    },
    forget() {
      asked = undefined
    },
  }
}
