import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { MAX_GROUP_DEVICES } from '@isotherm/contract/endpoints/devices/device-groups'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { Field } from '../../../shared/form/field.tsx'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import styles from './members.module.css'
import type { SourceProps } from './source-props.ts'

/** The first `size` devices in use below a node, and how many there are in total. Empty `kinds` mean every kind. */
const listBelow = (node: NodeKey, kinds: readonly DeviceKind[], size: number) =>
  call(getDev, {
    nodes: [node],
    filter: [
      { field: 'use', cond: 'eq', vstd: 'in-use' },
      ...(kinds.length > 0 ? [{ field: 'kind', cond: 'in' as const, vstd: kinds.join() }] : []),
    ],
    limiter: { page: 1, size },
  })

/** Adds the devices below a node of the tree, of the chosen kinds. */
export function FromNode({ onAdd }: SourceProps) {
  const { t } = useTranslation('groups')
  const { t: common } = useTranslation('common')
  const id = useId()
  const [node, setNode] = useState<NodeKey>()
  const [kinds, setKinds] = useState<readonly DeviceKind[]>(['valve'])
  const counted = useQuery({
    queryKey: ['group-below', node, kinds],
    queryFn: async () => (node === undefined ? 0 : (await listBelow(node, kinds, 1)).total),
    enabled: node !== undefined,
  })
  const adding = useMutation({
    mutationFn: (from: NodeKey) => listBelow(from, kinds, MAX_GROUP_DEVICES),
    onSuccess: ({ datalist }) => onAdd(datalist),
  })
  const total = counted.data ?? 0
  const error = counted.error ?? adding.error
  return (
    <>
      <Field label={t('node.place')} htmlFor={id}>
        <NodePicker id={id} value={node} onNode={setNode} />
      </Field>
      <Select<DeviceKind[]>
        mode="multiple"
        aria-label={t('node.kinds')}
        placeholder={t('node.allKinds')}
        value={[...kinds]}
        options={deviceKind.options.map((kind) => ({ value: kind, label: common(`deviceKind.${kind}`) }))}
        onChange={setKinds}
      />
      {error && <Alert type="error" showIcon title={toFailureText(error)} />}
      {total > MAX_GROUP_DEVICES && (
        <Alert type="warning" showIcon title={t('node.tooMany', { total, max: MAX_GROUP_DEVICES })} />
      )}
      <div className={styles.buttons}>
        <Button
          data-testid="member-add-node"
          loading={adding.isPending}
          disabled={node === undefined || total === 0 || total > MAX_GROUP_DEVICES}
          onClick={() => node !== undefined && adding.mutate(node)}
        >
          {t('node.add', { count: total })}
        </Button>
      </div>
    </>
  )
}
