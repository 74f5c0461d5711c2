import { useFormat } from './use-format.ts'
import { useNow } from './use-now.ts'

/** The age of an instant (Unix ms). It updates itself, so that the row around it does not render. */
export function Age({ ts }: { readonly ts: number | undefined }) {
  const format = useFormat()
  const now = useNow()
  return (
    <time dateTime={ts === undefined ? undefined : new Date(ts).toISOString()} title={format.instant(ts)}>
      {format.age(ts, now)}
    </time>
  )
}
