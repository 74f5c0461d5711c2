import type { ComponentProps, ReactNode } from 'react'
import styles from './text-field.module.css'

type TextFieldProps = Omit<ComponentProps<'input'>, 'className'> & {
  /** Before the text. */
  readonly icon: ReactNode
  /** Button behind the text. */
  readonly end?: ReactNode
  readonly isLarge?: boolean
}

/** Native text field. The one of the component library has more code than the whole login page. */
export function TextField({ icon, end, isLarge = false, ...input }: TextFieldProps): ReactNode {
  return (
    <span className={`${styles.field} ${isLarge ? styles.large : ''}`}>
      <span className={styles.icon}>{icon}</span>
      <input {...input} />
      {end && <span className={styles.end}>{end}</span>}
    </span>
  )
}
