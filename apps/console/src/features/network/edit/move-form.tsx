import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import type { NodeKey } from '@isotherm/contract/tree'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import type { NodeChoice } from '../../../shared/form/node-choices.ts'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { closeTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { canHold } from './can-hold.ts'
import { moveNode, reportChange, toAbove } from './node-changes.ts'
import { nodeRecordQuery } from './node-record.ts'
import { Touched } from './touched.tsx'

interface MoveFormProps {
  readonly record: NodeRecord
  /** The place where the node was dropped. */
  readonly target?: NodeChoice | undefined
}

/** Moves a group or building with all below it to another place of the company. */
export function MoveForm({ record, target: dropped }: MoveFormProps) {
  const { t } = useTranslation('network')
  const id = useId()
  const [parent, setParent] = useState<NodeKey | undefined>(dropped?.key)
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
        <NodePicker id={id} value={parent} onNode={setParent} {...(dropped && { first: dropped })} />
      </Field>
    </ActionForm>
  )
}
