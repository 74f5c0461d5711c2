import type { ReportField } from '@isotherm/codecs/describe/frame-report'
import { useTranslation } from 'react-i18next'
import styles from './debug.module.css'
import { useFrameWords } from './frame-words.ts'

/** Every field of a frame in its order, with its exact value as transmitted. */
export function FrameFields({ fields }: { readonly fields: readonly ReportField[] }) {
  const { t } = useTranslation('devices')
  const words = useFrameWords()
  return (
    <table className={styles.fields} data-testid="frame-fields">
      <thead>
        <tr>
          <th scope="col">{t('frames.name')}</th>
          <th scope="col">{t('frames.meaning')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field, index) => {
          const qualifiers = words.qualifiers(field)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: fields keep their places, and names come twice
            <tr key={index}>
              <th scope="row">
                {words.name(field)}
                {qualifiers.length > 0 && <span className={styles.meta}> {qualifiers.join(' · ')}</span>}
              </th>
              <td>{words.value(field)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
