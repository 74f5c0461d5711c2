import { useEffect, useRef, useState } from 'react'

/**
 * Text of a field whose value is in the address. The router applies a change later than the next key may come, so the
 * field shows what was typed. It takes the address's text if that changes otherwise, for example by the back button.
 */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text)
  /** Texts that were sent to the address and have not come back, oldest first. */
  const sent = useRef<readonly string[]>([])
  useEffect(() => {
    const place = sent.current.indexOf(text)
    if (place >= 0) sent.current = sent.current.slice(place + 1)
    else setTyped(text)
  }, [text])
  const type = (next: string): void => {
    sent.current = [...sent.current, next]
    setTyped(next)
    onText(next)
  }
  return [typed, type]
}
