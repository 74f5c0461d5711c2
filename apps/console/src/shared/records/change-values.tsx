import { toConfigChangeText, toFieldText } from '@isotherm/contract/locales/change-text'
import { ABSENT } from '../format/numbers.ts'
import { useLanguage } from '../i18n/i18n.ts'
import styles from './records.module.css'

type Values = Readonly<Record<string, unknown>> | null

/** Column with a description of a change in words; it has no value before. */
const IN_WORDS = 'last_change'

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
  const toValue = (field: string, value: unknown) =>
    field === IN_WORDS && typeof value === 'string' ? toConfigChangeText(language, value) : toText(value)
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <ul className={styles.values}>
      {fields.map((field) => (
        <li key={field}>
          <small>{toFieldText(language, field)}</small>{' '}
          {before && field !== IN_WORDS && <del>{toText(before[field])}</del>}
          {before && after && field !== IN_WORDS && ' → '}
          {after && <ins>{toValue(field, after[field])}</ins>}
        </li>
      ))}
    </ul>
  )
}
