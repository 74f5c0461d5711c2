import { endSessions, getSessions } from '@isotherm/contract/endpoints/administration/user-access'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { forAccount } from '../for-account.ts'
import styles from './user-drawer.module.css'

/** Maximum number of sessions that one call ends, and that are listed. */
const MAX_SESSIONS = 100

/** The active sessions of a user, which can be ended. */
export function UserSessions({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const format = useFormat()
  const { id: uid, account } = user
  const query = useQuery({
    queryKey: ['user-sessions', uid],
    queryFn: ({ signal }) => call(getSessions, { uid, limiter: { page: 1, size: MAX_SESSIONS } }, { signal }),
  })
  const ending = useMutation({
    mutationFn: (ids: readonly number[]) => forAccount(account, call(endSessions, { ids: [...ids] })),
    onSuccess() {
      showNotice('success', t('success.done', { ns: 'common', title: t('sessions.end') }))
    },
    onSettled: () => query.refetch(),
  })
  const mayEnd = user.abilities.includes('end-sessions')
  return (
    <Answer query={query}>
      {({ datalist, total }) => {
        const others = datalist.filter(({ isThis }) => !isThis).map(({ id }) => id)
        return (
          <div className={styles.part}>
            {ending.error && <Alert type="error" showIcon title={toFailureText(ending.error)} />}
            {total === 0 && <EmptyState title={t('sessions.none')} />}
            <ul className={styles.rows} data-testid="sessions">
              {datalist.map(({ id, address, createdAt, expiresAt, isThis }) => (
                <li key={id} className={styles.row}>
                  <span>
                    {t('sessions.since', { time: format.instant(createdAt), address })}{' '}
                    {isThis && <Tag>{t('sessions.this')}</Tag>}
                    <br />
                    <small className={styles.meta}>
                      {t('sessions.until', { time: format.instant(expiresAt) })}
                    </small>
                  </span>
                  {mayEnd && !isThis && (
                    <Button
                      size="small"
                      loading={ending.isPending}
                      data-testid={`session-end-${id}`}
                      onClick={() => ending.mutate([id])}
                    >
                      {t('sessions.end')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {mayEnd && others.length > 1 && (
              <Button danger loading={ending.isPending} onClick={() => ending.mutate(others)}>
                {t('sessions.endAll', { count: others.length })}
              </Button>
            )}
          </div>
        )
      }}
    </Answer>
  )
}
