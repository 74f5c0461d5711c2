import { useEffect, useRef, useState } from 'react'

/**
 * Text of a field that stores its value in the address. The next key can come before the router has applied a change, so
 * the field shows the typed text. If the address changes for another reason, such as the back button, it shows that text.
 */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text)
  /** Texts that the router has not applied to the address yet, oldest first. */
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
