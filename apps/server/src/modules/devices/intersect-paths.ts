/** Paths of what lies below both one of `left` and one of `right`. */
export const intersectPaths = (left: readonly string[], right: readonly string[]): readonly string[] => [
  ...new Set(
    left.flatMap((one) =>
      right.flatMap((other) => {
        if (one.startsWith(other)) return [one]
        return other.startsWith(one) ? [other] : []
      }),
    ),
  ),
]
