import {
  entitiesOfDevices,
  getEntityHistory,
  getOperations,
} from '@isotherm/contract/endpoints/administration/operations'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { useFormat } from '../format/use-format.ts'
import { useSession } from '../session/session-store.ts'
import { Answer } from '../ui/answer.tsx'
import { EmptyState } from '../ui/states.tsx'
import { ChangeValues } from './change-values.tsx'
import styles from './records.module.css'

interface ChangeHistoryProps {
  /** Kind of the entity in the operation log. */
  readonly entity: string
  readonly entityId: string
}

/** Newest changes of a record that are listed. */
const NEWEST = 50

/** Changes of a record: when, by whom, before and after. Empty for a user who may not read the log. */
export function ChangeHistory({ entity, entityId }: ChangeHistoryProps) {
  const { t } = useTranslation('common')
  const format = useFormat()
  // Pages of devices show the changes of devices to users who may not read the log.
  const { anyOf } = entitiesOfDevices.includes(entity) ? getEntityHistory.access : getOperations.access
  const mayRead = useSession(({ permitted }) => anyOf.some((permission) => permitted.has(permission)))
  const history = useQuery({
    queryKey: ['entity-history', entity, entityId],
    queryFn: ({ signal }) =>
      call(getEntityHistory, { entity, entityId, limiter: { page: 1, size: NEWEST } }, { signal }),
    enabled: mayRead,
    // The change that was just saved must be there when its record is opened again.
    staleTime: 0,
  })
  if (!mayRead) return null
  return (
    <section aria-label={t('record.history')}>
      <h3>{t('record.history')}</h3>
      <Answer query={history}>
        {({ datalist, total }) =>
          total === 0 ? (
            <EmptyState title={t('record.noHistory')} />
          ) : (
            <ol className={styles.changes} data-testid="change-history">
              {datalist.map((change) => (
                <li key={`${change.operationId}-${change.action}`} className={styles.change}>
                  <span>
                    <time dateTime={new Date(change.at).toISOString()}>{format.instant(change.at)}</time>{' '}
                    <strong>{change.account}</strong> {t(`record.action.${change.action}`)}
                  </span>
                  <ChangeValues before={change.before} after={change.after} />
                </li>
              ))}
            </ol>
          )
        }
      </Answer>
    </section>
  )
}
