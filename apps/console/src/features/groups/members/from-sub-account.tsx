import { getDevsForVn, getSuidAndDeviceByPuid } from '@isotherm/contract/endpoints/administration/grants'
import { managesUsers } from '@isotherm/contract/endpoints/administration/users'
import { MAX_GROUP_DEVICES } from '@isotherm/contract/endpoints/devices/device-groups'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { findDevices } from './find-devices.ts'
import styles from './members.module.css'
import type { SourceProps } from './source-props.ts'

const MAX_SUB_ACCOUNTS = 100

/** Whether the user may see the devices of sub-accounts. */
export const useMayListSubAccounts = (): boolean =>
  useSession(({ permitted }) => managesUsers.anyOf.some((permission) => permitted.has(permission)))

/** The devices that a sub-account can see. */
async function listOfAccount(uid: number) {
  const { list } = await call(getDevsForVn, { uid, pageNo: 1, pageSize: MAX_GROUP_DEVICES })
  const found = await findDevices(
    'id',
    list.map(({ id }) => String(id)),
  )
  return found.filter(({ use }) => use === 'in-use')
}

/** Adds the devices that a sub-account of the user can see, for example those of a district. */
export function FromSubAccount({ onAdd }: SourceProps) {
  const { t } = useTranslation('groups')
  const uid = useSession(({ user }) => user?.id)
  const [suid, setSuid] = useState<number>()
  const accounts = useQuery({
    queryKey: ['group-sub-accounts', uid],
    queryFn: ({ signal }) =>
      call(getSuidAndDeviceByPuid, { uid: uid ?? 0, pageNo: 1, pageSize: MAX_SUB_ACCOUNTS }, { signal }),
    enabled: uid !== undefined,
  })
  const adding = useMutation({ mutationFn: listOfAccount, onSuccess: onAdd })
  const count = accounts.data?.list.find((each) => each.suid === suid)?.devCount ?? 0
  const error = accounts.error ?? adding.error
  return (
    <>
      <Select
        aria-label={t('source.subAccount')}
        data-testid="member-sub-account"
        placeholder={t('subAccount.placeholder')}
        loading={accounts.isFetching}
        notFoundContent={t('subAccount.none')}
        value={suid ?? null}
        options={(accounts.data?.list ?? []).map((each) => ({
          value: each.suid,
          label: t('subAccount.option', { account: each.account, name: each.name, count: each.devCount }),
        }))}
        onChange={(next: number | null) => setSuid(next ?? undefined)}
      />
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
      {count > MAX_GROUP_DEVICES && (
        <Alert type="warning" showIcon title={t('node.tooMany', { total: count, max: MAX_GROUP_DEVICES })} />
      )}
      <div className={styles.buttons}>
        <Button
          data-testid="member-add-sub-account"
          loading={adding.isPending}
          disabled={suid === undefined || count === 0 || count > MAX_GROUP_DEVICES}
          onClick={() => suid !== undefined && adding.mutate(suid)}
        >
          {t('node.add', { count })}
        </Button>
      </div>
    </>
  )
}
