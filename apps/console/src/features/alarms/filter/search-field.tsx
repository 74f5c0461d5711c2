import { useTranslation } from 'react-i18next'
import { SearchInput } from '../../../shared/inputs/search-input.tsx'
import styles from '../parts/alarms.module.css'

interface SearchFieldProps {
  readonly text: string
  readonly onText: (text: string) => void
}

/** Input of words to find in any text of an alarm. */
export function SearchField({ text, onText }: SearchFieldProps) {
  const { t } = useTranslation('alarms')
  return (
    <SearchInput
      className={styles.search ?? ''}
      text={text}
      onText={onText}
      label={t('filter.text')}
      testId="alarm-search"
    />
  )
}
