import type { Transfer } from '@isotherm/contract/transfer'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from './transfer.module.css'
import { causesQuery } from './transfer-queries.ts'

/** Failed rows of an import by cause, so that one cause of many failures is read once. */
export function CauseList({ transfer }: { readonly transfer: Transfer }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const query = useQuery(causesQuery(transfer.id, transfer.version))
  return (
    <Answer query={query}>
      {({ datalist }) => (
        <ul className={styles.causes} data-testid="transfer-causes">
          {datalist.map(({ sheet, rows, reason, isSame, first }) => (
            <li key={`${sheet}-${reason}`}>
              <strong>{t('transfer.rows', { rows: format.number(rows, 0) })}</strong>
              <span>{isSame ? reason : t('transfer.similar', { reason })}</span>
              <small>
                {t('transfer.where', {
                  sheet: t(`transfer.sheet.${sheet}`),
                  rows: `${first.join(', ')}${rows > first.length ? ' …' : ''}`,
                })}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Answer>
  )
}
