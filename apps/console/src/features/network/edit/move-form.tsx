import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { type NodeKey, treeLevels } from '@isotherm/contract/tree'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { closeTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { moveNode, reportChange, toAbove } from './node-changes.ts'
import { nodeRecordQuery } from './node-record.ts'
import { Touched } from './touched.tsx'

/** Whether a node can be the parent of another: a higher level, and for a building a residential area. */
const canHold = (parent: NodeRecord, { nodetype, level }: NodeRecord): boolean =>
  nodetype === 'user'
    ? parent.level === treeLevels.residentialArea
    : parent.level < level && parent.level <= treeLevels.residentialArea

/** Moves a group or building with all below it to another place of the company. */
export function MoveForm({ record }: { readonly record: NodeRecord }) {
  const { t } = useTranslation('network')
  const id = useId()
  const [parent, setParent] = useState<NodeKey>()
  const target = useQuery({ ...nodeRecordQuery(parent ?? ''), enabled: parent !== undefined })
  const isPlace = target.data !== undefined && canHold(target.data, record)
  const moving = useMutation({
    mutationFn: (to: NodeKey) => moveNode(record, to),
    onSuccess(version, to) {
      const from = toAbove(record)
      const undo = () => moveNode({ ...record, version }, from)
      reportChange(t('edit.moved', { name: record.name }), [from, to], undo)
      closeTreeEdit()
    },
  })
  return (
    <ActionForm
      submit={t('edit.move')}
      isReady={isPlace && parent !== toAbove(record)}
      busy={moving.isPending}
      error={moving.error ?? target.error}
      testId="edit-move"
      onSubmit={() => parent !== undefined && moving.mutate(parent)}
      onCancel={closeTreeEdit}
    >
      <p>{toWholeAddress(record.nestaddr)}</p>
      {record.touches && <Touched touches={record.touches} />}
      <Field
        label={t('edit.newParent')}
        htmlFor={id}
        hint={t('edit.moveMeans')}
        fault={target.data && !isPlace ? t('edit.wrongParent') : undefined}
      >
        <NodePicker id={id} value={parent} onNode={setParent} />
      </Field>
    </ActionForm>
  )
}
