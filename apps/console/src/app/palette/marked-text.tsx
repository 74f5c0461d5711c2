import type { ReactNode } from 'react'
import type { Range } from './find-match.ts'

/** A text with its matched parts marked. */
export function MarkedText(props: { readonly text: string; readonly ranges: readonly Range[] }): ReactNode {
  const { text, ranges } = props
  if (ranges.length === 0) return text
  const parts: ReactNode[] = []
  let end = 0
  for (const range of ranges) {
    parts.push(text.slice(end, range.start))
    parts.push(<mark key={range.start}>{text.slice(range.start, range.end)}</mark>)
    end = range.end
  }
  parts.push(text.slice(end))
  return parts
}
