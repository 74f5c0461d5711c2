import { DeleteOutlined } from '@ant-design/icons'
import {
  deleteSubUserDevByTk,
  deleteUserDevByTk,
  type Grant,
  getUserDevSubNestAddrByTk,
  insertSubUserDevByTk,
  insertUserDevByTk,
} from '@isotherm/contract/endpoints/administration/grants'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Popconfirm } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { Field } from '../../../shared/form/field.tsx'
import { NodesPicker } from '../../../shared/form/nodes-picker.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { findLevelName } from '../../../shared/nodes/level-name.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { forAccount } from '../for-account.ts'
import styles from './user-drawer.module.css'

interface UserGrantsProps {
  readonly user: User
  readonly onChanged: () => void
}

interface GrantChange {
  readonly kind: 'add' | 'remove'
  readonly nodes: readonly NodeKey[]
  readonly deviceIds?: readonly number[]
}

/** Grants that are listed. */
const MAX_GRANTS = 1_000

/** Calls that change grants, of an independent account and of a sub-account. */
const calls = {
  own: { add: insertUserDevByTk, remove: deleteUserDevByTk },
  sub: { add: insertSubUserDevByTk, remove: deleteSubUserDevByTk },
} as const

const toKey = ({ node, device }: Grant): string => (device ? `${node} ${device.id}` : node)

/** The places that are granted to a user. Further nodes are checked in the tree, or found by name. */
export function UserGrants({ user, onChanged }: UserGrantsProps) {
  const { t } = useTranslation('users')
  const id = useId()
  const [nodes, setNodes] = useState<readonly NodeKey[]>([])
  const { id: uid, account } = user
  const query = useQuery({
    queryKey: ['user-grants', uid],
    queryFn: ({ signal }) =>
      call(getUserDevSubNestAddrByTk, { uid, limiter: { page: 1, size: MAX_GRANTS } }, { signal }),
  })
  const changing = useMutation({
    async mutationFn({ kind, nodes: changed, deviceIds = [] }: GrantChange) {
      const version = query.data?.version ?? user.version
      const endpoint = calls[user.parentId === null ? 'own' : 'sub'][kind]
      return forAccount(
        account,
        call(endpoint, { uid, version, nodes: [...changed], deviceIds: [...deviceIds] }),
      )
    },
    onSuccess(_answer, { kind }) {
      setNodes([])
      showNotice('success', t('success.done', { ns: 'common', title: t(`grants.${kind}`) }))
      onChanged()
    },
    onSettled: () => query.refetch(),
  })
  return (
    <Answer query={query}>
      {({ datalist, total, seesAll, abilities }) => {
        const isEditable = abilities.includes('grant') && !seesAll
        if (seesAll) return <p>{t('grants.seesAll')}</p>
        return (
          <div className={styles.part}>
            {isEditable && (
              <Field label={t('grants.label')} htmlFor={id} hint={t('grants.hint')}>
                <NodesPicker id={id} testId="grant-nodes" value={nodes} onNodes={setNodes} />
                <Button
                  type="primary"
                  data-testid="grant-add"
                  disabled={nodes.length === 0}
                  loading={changing.isPending}
                  onClick={() => changing.mutate({ kind: 'add', nodes })}
                >
                  {t('grants.add')}
                </Button>
              </Field>
            )}
            {changing.error && <Alert type="error" showIcon title={toFailureText(changing.error)} />}
            {total === 0 && <EmptyState title={t('grants.none')} hint={t('grants.noneHint')} />}
            {total > datalist.length && <p>{t('grants.more', { count: total - datalist.length })}</p>}
            <ul className={styles.rows} data-testid="grants">
              {datalist.map((grant) => (
                <li key={toKey(grant)} className={styles.row}>
                  <span>
                    {toWholeAddress(grant.nestaddr)}
                    {grant.device && ` · ${grant.device.name}`}{' '}
                    <small className={styles.meta}>
                      {t(`level.${findLevelName(grant.level) ?? 'address'}`, { ns: 'common' })}
                    </small>
                  </span>
                  {isEditable && (
                    <Popconfirm
                      title={t('grants.removeQuestion', { account })}
                      description={t('grants.removeTouches')}
                      okText={t('grants.remove')}
                      onConfirm={() =>
                        changing.mutate(
                          grant.device
                            ? { kind: 'remove', nodes: [], deviceIds: [grant.device.id] }
                            : { kind: 'remove', nodes: [grant.node] },
                        )
                      }
                    >
                      <Button
                        type="text"
                        icon={<DeleteOutlined />}
                        aria-label={t('grants.removeOne', { place: toWholeAddress(grant.nestaddr) })}
                      />
                    </Popconfirm>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )
      }}
    </Answer>
  )
}
