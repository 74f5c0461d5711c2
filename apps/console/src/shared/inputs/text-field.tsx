import type { ComponentProps, ReactNode } from 'react'
import styles from './text-field.module.css'

type TextFieldProps = Omit<ComponentProps<'input'>, 'className'> & {
  /** Before the text. */
  readonly icon: ReactNode
  /** Behind the text: a button that does something with it. */
  readonly end?: ReactNode
  readonly isLarge?: boolean
}

/** A field for a line of text, of the browser's own: the library's weighs more than the page of the login. */
export function TextField({ icon, end, isLarge = false, ...input }: TextFieldProps): ReactNode {
  return (
    <span className={`${styles.field} ${isLarge ? styles.large : ''}`}>
      <span className={styles.icon}>{icon}</span>
      <input {...input} />
      {end && <span className={styles.end}>{end}</span>}
    </span>
  )
}
