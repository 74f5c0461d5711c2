import { toFieldText } from '@isotherm/contract/locales/change-text'
import { ABSENT } from '../format/numbers.ts'
import { useLanguage } from '../i18n/i18n.ts'
import styles from './records.module.css'

type Values = Readonly<Record<string, unknown>> | null

const toText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return ABSENT
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

interface ChangeValuesProps {
  readonly before: Values
  readonly after: Values
}

/** Changed values of an entity, before and after. */
export function ChangeValues({ before, after }: ChangeValuesProps) {
  const language = useLanguage()
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <ul className={styles.values}>
      {fields.map((field) => (
        <li key={field}>
          <small>{toFieldText(language, field)}</small> {before && <del>{toText(before[field])}</del>}
          {before && after && ' → '}
          {after && <ins>{toText(after[field])}</ins>}
        </li>
      ))}
    </ul>
  )
}
