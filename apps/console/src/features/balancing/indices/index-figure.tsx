import { type IndexName, indexMeanings } from '@isotherm/balancing/indices/index-meanings'
import { Popover } from 'antd'
import { useTranslation } from 'react-i18next'
import { ABSENT, withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import styles from './figures.module.css'
import { toShown } from './index-value.ts'

/** Formats an index without its unit; — if it is unknown. */
function useIndexNumber(): (name: IndexName, value: number | undefined) => string {
  const format = useFormat()
  return (name, value) => {
    const { factor, decimals } = toShown(name)
    return format.number(value === undefined ? undefined : value * factor, decimals)
  }
}

/** Unit of an index in the current language; empty for a plain number. */
function useIndexUnit(): (name: IndexName) => string {
  const { t } = useTranslation('balancing')
  return (name) => {
    const { unit } = toShown(name)
    return unit === '1/d' ? t('indices.perDay') : unit
  }
}

/** Formats an index with its unit; — if it is unknown. */
export function useIndexText(): (name: IndexName, value: number | undefined) => string {
  const toNumber = useIndexNumber()
  const toUnit = useIndexUnit()
  return (name, value) => {
    const unit = toUnit(name)
    const text = toNumber(name, value)
    return text === ABSENT || unit === '' ? text : withUnit(text, unit)
  }
}

/** Meaning, formula and source of an index. */
export function IndexMeaning({ name }: { readonly name: IndexName }) {
  const { t } = useTranslation('balancing')
  const language = useLanguage()
  const { formula, source } = indexMeanings[name]
  return (
    <div className={styles.meaning}>
      <p>{t(`indexMeaning.${name}`)}</p>
      <dl>
        <dt>{t('indices.formula')}</dt>
        <dd className={styles.formula}>{formula}</dd>
        {source && (
          <>
            <dt>{t('indices.source')}</dt>
            <dd>{source[language]}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

interface IndexFigureProps {
  readonly name: IndexName
  readonly value: number | undefined
}

/** One index with its name; hover, tap or key shows its meaning and formula. */
export function IndexFigure({ name, value }: IndexFigureProps) {
  const { t } = useTranslation('balancing')
  const toNumber = useIndexNumber()
  const toUnit = useIndexUnit()
  const label = t(`index.${name}`)
  return (
    <Popover trigger={['hover', 'click']} title={label} content={<IndexMeaning name={name} />}>
      <button type="button" className={`tile ${styles.figure}`} data-testid={`index-${name}`}>
        <span className={styles.label}>{label}</span>
        <strong className={styles.value} data-absent={value === undefined || undefined}>
          {toNumber(name, value)}
          {value !== undefined && <small>{toUnit(name)}</small>}
        </strong>
      </button>
    </Popover>
  )
}
