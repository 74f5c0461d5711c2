import { type ReactNode, useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import styles from './printed.module.css'

/** What the page prints. It exists only while the browser prints, and then it is all that is visible. */
export function Printed({ children }: { readonly children: ReactNode }): ReactNode {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser prints the document after these listeners return, so render synchronously.
    const begin = () => {
      document.documentElement.dataset.printing = 'true'
      flushSync(() => setPrinting(true))
    }
    const end = () => {
      delete document.documentElement.dataset.printing
      setPrinting(false)
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  const sheet = (
    <div className={styles.printed} data-printed>
      {children}
    </div>
  )
  return isPrinting && createPortal(sheet, document.body)
}
