import { parseHex } from '@isotherm/codecs/bytes/hex'
import { describeFrame } from '@isotherm/codecs/describe/describe-frame'
import type { ReportField } from '@isotherm/codecs/describe/frame-report'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './debug.module.css'
import { FrameFields } from './frame-fields.tsx'
import { useFrameWords } from './frame-words.ts'

/** Values in the line of a frame; the others are in its table. */
const MAX_VALUES = 8

/** A measured value of now, in contrast to identity, stored values and extremes. */
const isCurrent = ({ value, unit, function: kind, storage, tariff, subunit }: ReportField): boolean =>
  value.kind === 'number' &&
  unit !== undefined &&
  [kind, storage, tariff, subunit].every((part) => part === undefined)

interface FrameMeaningProps {
  readonly hex: string
  /** `tx`: from the gateway to the bus, so a request. */
  readonly dir: 'rx' | 'tx'
}

/** Meaning of a frame in words, with a table of its fields; nothing for a format that is not known. */
export function FrameMeaning({ hex, dir }: FrameMeaningProps) {
  const { t } = useTranslation('devices')
  const words = useFrameWords()
  const report = useMemo(() => {
    const bytes = parseHex(hex)
    return bytes && describeFrame(bytes, { direction: dir === 'tx' ? 'request' : 'reply' })
  }, [hex, dir])
  if (report === undefined) return null
  const fields = report.inner?.fields ?? report.fields
  const values = fields.filter(isCurrent).slice(0, MAX_VALUES)
  const line = [
    ...words.summary(report),
    ...(report.inner === undefined ? [] : words.summary(report.inner)),
    ...values.map((field) => `${words.name(field)} ${words.value(field)}`),
  ]
  return (
    <>
      <span className={styles.meta} data-testid="frame-meaning">
        {line.join(' · ')}
      </span>
      {fields.length > 0 && (
        <details className={styles.details}>
          <summary>{t('frames.all', { fields: fields.length })}</summary>
          <FrameFields fields={fields} />
        </details>
      )}
    </>
  )
}
