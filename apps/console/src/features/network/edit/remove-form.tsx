import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { useMutation } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { closeTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { removeNode, reportChange, toAbove } from './node-changes.ts'
import { Touched } from './touched.tsx'

/** Why a node cannot be removed: other nodes are below it (a building goes with its units), or devices are. */
const isInUse = ({ nodetype, touches }: NodeRecord): boolean =>
  touches !== undefined && (touches.devices > 0 || (nodetype !== 'user' && touches.nodes > 0))

/** Removes a node, after a list of what refers to it. */
export function RemoveForm({ record }: { readonly record: NodeRecord }) {
  const { t } = useTranslation('network')
  const { touches } = record
  const removing = useMutation({
    mutationFn: () => removeNode(record),
    onSuccess() {
      reportChange(t('edit.removed', { name: record.name }), [toAbove(record)])
      closeTreeEdit()
    },
  })
  return (
    <ActionForm
      submit={t('edit.remove')}
      danger
      isReady={!isInUse(record)}
      busy={removing.isPending}
      error={removing.error}
      testId="edit-remove"
      onSubmit={() => removing.mutate()}
      onCancel={closeTreeEdit}
    >
      <p>{toWholeAddress(record.nestaddr)}</p>
      {touches && <Touched touches={touches} />}
      {isInUse(record) ? (
        <Alert type="warning" showIcon title={t('edit.inUse')} />
      ) : (
        <Alert
          type="warning"
          showIcon
          title={
            touches && touches.accounts > 0
              ? t('edit.removeGrants', { count: touches.accounts })
              : t('edit.removeFinal')
          }
        />
      )}
    </ActionForm>
  )
}
