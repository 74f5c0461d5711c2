/** A search of the address as it will be once what was asked of the router is done. */
export interface AskedSearch {
  /** What a change starts from, where `present` is on show. */
  readonly from: (present: URLSearchParams) => URLSearchParams
  /** `next` was asked for while `present` was on show. */
  readonly note: (present: URLSearchParams, next: URLSearchParams) => void
  /** Another search is on show. */
  readonly forget: () => void
}

/** The router lets each of two changes begin from what is on show, so that the second would undo the first. */
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
