import { toWholeAddress } from '../format/address.ts'

/** Places that are listed; the others are counted. */
const LISTED = 5

/** Whole addresses of what an order concerns: buildings of different areas share names. */
export function PlaceList({ places }: { readonly places: readonly string[] }) {
  const listed = [...new Set(places)]
  const rest = listed.length - LISTED
  return (
    <>
      {listed.slice(0, LISTED).map((place) => (
        <div key={place}>{toWholeAddress(place)}</div>
      ))}
      {rest > 0 && <div>… +{rest}</div>}
    </>
  )
}
