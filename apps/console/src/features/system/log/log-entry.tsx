import type { OperationEntry } from '@isotherm/contract/endpoints/administration/operations'
import { toEntityText } from '@isotherm/contract/locales/change-text'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { ChangeValues } from '../../../shared/records/change-values.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { toResultText } from './entry-text.ts'
import styles from './log.module.css'

const fields = z.record(z.string(), z.unknown())

/** An entry of the operation log: who, what, where from, the input, and the values before and after. */
export function LogEntry({ entry }: { readonly entry: OperationEntry }) {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const format = useFormat()
  const { at, account, endpoint, result, address, requestId, whole, changes, hasMoreChanges } = entry
  const input = fields.safeParse(entry.input)
  return (
    <>
      {!whole && <Alert type="info" showIcon title={t('log.partial')} />}
      <FactList
        className={styles.facts}
        facts={[
          [t('log.at'), format.instant(at)],
          [t('log.account'), account === '' ? t('log.system') : account],
          [t('log.name'), endpoint],
          [t('log.result'), toResultText(result, language, t)],
          ...(address ? [[t('log.from'), address] as const] : []),
          ...(requestId ? [[t('log.request'), requestId] as const] : []),
        ]}
      />
      {input.success && Object.keys(input.data).length > 0 && (
        <section>
          <h3>{t('log.input')}</h3>
          <ChangeValues before={null} after={input.data} />
        </section>
      )}
      <section>
        <h3>{t('log.changes')}</h3>
        {changes.length === 0 && <p className={styles.note}>{t('log.noChanges')}</p>}
        <ol className={styles.changes} data-testid="log-changes">
          {changes.map((change, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entity can change several times in one operation
            <li key={place}>
              <strong>
                {t(`log.action.${change.action}`)} {toEntityText(language, change.entity)} {change.entityId}
              </strong>
              <ChangeValues before={change.before} after={change.after} />
            </li>
          ))}
        </ol>
        {hasMoreChanges && <p className={styles.note}>{t('log.moreChanges', { count: changes.length })}</p>}
      </section>
    </>
  )
}
