/**
 * Minimum degree: an elimination order of a sparse symmetric system with little fill-in. It always
 * takes an unknown with the fewest remaining neighbours and connects these with each other. A tree has no fill-in; a grid of n unknowns
 * about n·log n. `neighbours` is consumed. Returns the unknowns in order of elimination.
 */
export function orderByMinimumDegree(neighbours: readonly Set<number>[]): Int32Array {
  const order = new Int32Array(neighbours.length)
  const isGone = new Uint8Array(neighbours.length)
  // Unknowns by degree; an entry is stale if its unknown is eliminated or has another degree.
  const buckets: number[][] = []
  const file = (unknown: number, degree: number): void => {
    const bucket = buckets[degree]
    if (bucket === undefined) buckets[degree] = [unknown]
    else bucket.push(unknown)
  }
  neighbours.forEach((around, unknown) => {
    file(unknown, around.size)
  })
  let written = 0
  for (let degree = 0; written < neighbours.length; ) {
    const unknown = buckets[degree]?.pop()
    if (unknown === undefined) {
      degree++
      continue
    }
    const around = neighbours[unknown] ?? new Set()
    if (isGone[unknown] === 1 || around.size !== degree) continue
    order[written++] = unknown
    isGone[unknown] = 1
    for (const one of around) {
      const its = neighbours[one] ?? new Set()
      its.delete(unknown)
      for (const other of around) if (other !== one) its.add(other)
      file(one, its.size)
    }
    // Eliminating an unknown reduces the degree of its neighbours by at most one.
    degree = Math.max(0, degree - 1)
  }
  return order
}
