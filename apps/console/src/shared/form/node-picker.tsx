import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../format/address.ts'
import { ScanPlace } from '../scan/scan-place.tsx'
import form from './form.module.css'
import type { NodeChoice } from './node-choices.ts'
import { useNodeChoices } from './use-node-choices.ts'

interface NodePickerProps {
  readonly id: string
  readonly value: NodeKey | undefined
  readonly onNode: (node: NodeKey) => void
  /** Makes the choice removable. */
  readonly onClear?: () => void
  /** Accessible name and placeholder, if no label belongs to the picker. */
  readonly label?: string
  /** The value at the start with its address, so that its name is known. */
  readonly first?: NodeChoice
  /** Test id of a button that scans the label of a device at the place; no button if absent. */
  readonly scanTestId?: string
}

/** Chooses one node: a selected one, a project, or by a search over the whole company. */
export function NodePicker(props: NodePickerProps) {
  const { id, value, onNode, onClear, label, first, scanTestId } = props
  const { t } = useTranslation('common')
  const [last, setLast] = useState<NodeChoice | undefined>(first)
  const [scanned, setScanned] = useState<Device>()
  const { choices, setTyped, isLoading, none } = useNodeChoices(last ? [last] : [])
  const picker = (
    <Select
      id={id}
      className={form.wide ?? ''}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      placeholder={label ?? t('node.placeholder')}
      aria-label={label}
      allowClear={onClear !== undefined}
      {...(onClear && { onClear })}
      value={value ?? null}
      loading={isLoading}
      notFoundContent={none}
      options={choices.map(({ key, nestaddr }) => ({ value: key, label: toWholeAddress(nestaddr) }))}
      onChange={(key) => {
        setLast(choices.find((choice) => choice.key === key))
        if (key !== null) onNode(key)
      }}
    />
  )
  if (scanTestId === undefined) return picker
  return (
    <>
      <div className={form.scanned}>
        {picker}
        <ScanPlace
          testId={scanTestId}
          onPlace={({ node, nestaddr, device }) => {
            setLast({ key: node, nestaddr })
            setScanned(device)
            onNode(node)
          }}
        />
      </div>
      {/* A label of another installation has a number that here may be that of another device. */}
      {scanned && scanned.node === value && (
        <div className={form.note} role="status" data-testid={`${scanTestId}-device`}>
          {t('scan.placeOf', { name: scanned.name, serial: scanned.imei })}
        </div>
      )}
    </>
  )
}
