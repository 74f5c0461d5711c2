import {
  deleteUsers,
  editUserEnableState,
  type User,
} from '@isotherm/contract/endpoints/administration/users'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Popconfirm, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { forAccount } from '../for-account.ts'

interface UserActionsProps {
  readonly user: User
  readonly subAccounts: readonly User[]
  readonly onChanged: () => void
  readonly onDeleted: () => void
}

/** Buttons that enable, disable or delete a user, after a question that names the consequences. */
export function UserActions({ user, subAccounts, onChanged, onDeleted }: UserActionsProps) {
  const { t } = useTranslation('users')
  const { id, account, version, enabled, abilities } = user
  // After a change by another user the newest state is loaded, so that a second attempt can succeed.
  const onError = (failure: Error) => {
    if (failure instanceof ApiError && failure.code === 'entity.stale') onChanged()
  }
  const enabling = useMutation({
    onError,
    mutationFn: () => forAccount(account, call(editUserEnableState, { id, version, state: enabled ? 0 : 1 })),
    onSuccess() {
      const title = t(enabled ? 'disable.label' : 'enable.label')
      showNotice('success', t('success.done', { ns: 'common', title: `${account} ${title}` }))
      onChanged()
    },
  })
  const deleting = useMutation({
    onError,
    mutationFn: () => {
      const items = [user, ...subAccounts].map((each) => ({ id: each.id, version: each.version }))
      return forAccount(account, call(deleteUsers, { items }))
    },
    onSuccess({ accounts }) {
      showNotice('success', t('success.deleted', { ns: 'common', account: accounts.join('、') }))
      onDeleted()
    },
  })
  const error = enabling.error ?? deleting.error
  const touched = t('delete.touches', { subAccounts: subAccounts.length, account })
  if (!abilities.includes('enable') && !abilities.includes('remove')) return null
  return (
    <>
      <Space wrap>
        {abilities.includes('enable') &&
          (enabled ? (
            <Popconfirm
              title={t('disable.question', { account })}
              description={t('disable.touches', { subAccounts: subAccounts.length })}
              okText={t('disable.label')}
              onConfirm={() => enabling.mutate()}
            >
              <Button loading={enabling.isPending} data-testid="user-disable">
                {t('disable.label')}
              </Button>
            </Popconfirm>
          ) : (
            <Button loading={enabling.isPending} data-testid="user-enable" onClick={() => enabling.mutate()}>
              {t('enable.label')}
            </Button>
          ))}
        {abilities.includes('remove') && (
          <Popconfirm
            title={t('delete.question', { account })}
            description={touched}
            okText={t('delete.label')}
            okButtonProps={{ danger: true }}
            onConfirm={() => deleting.mutate()}
          >
            <Button danger loading={deleting.isPending} data-testid="user-delete">
              {t('delete.label')}
            </Button>
          </Popconfirm>
        )}
      </Space>
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
    </>
  )
}
