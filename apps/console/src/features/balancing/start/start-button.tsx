import { ThunderboltOutlined } from '@ant-design/icons'
import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button, Modal } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { listKinds } from './mode-draft.ts'
import { StartForm } from './start-form.tsx'

interface StartButtonProps {
  readonly node: NodeKey
  readonly name: string
  /** Names from the top down to the node, comma-joined. */
  readonly nestaddr: string
  readonly kind: BalanceKind
  /** Present heat load, W/m². */
  readonly heatNowWM2: number | undefined
  readonly onCampaign: (id: number) => void
}

/** Button that starts a one-key balance; hidden without permission. */
export function StartButton({ node, name, nestaddr, kind, heatNowWM2, onCampaign }: StartButtonProps) {
  const { t } = useTranslation('balancing')
  const [isOpen, setOpen] = useState(false)
  const permitted = useSession((session) => session.permitted)
  const kinds = useMemo(() => listKinds(permitted), [permitted])
  const requested = kinds.find((each) => each === kind)
  if (requested === undefined) return null
  const open = (id: number) => {
    setOpen(false)
    onCampaign(id)
  }
  return (
    <>
      <Button
        type="primary"
        icon={<ThunderboltOutlined />}
        data-testid="one-key"
        onClick={() => setOpen(true)}
      >
        {t('start.action')}
      </Button>
      <Modal
        open={isOpen}
        title={t('start.title', { name })}
        footer={null}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <p data-testid="start-place">{toWholeAddress(nestaddr)}</p>
        <StartForm
          node={node}
          kind={requested}
          kinds={kinds}
          heatNowWM2={heatNowWM2}
          onCampaign={open}
          onCancel={() => setOpen(false)}
        />
      </Modal>
    </>
  )
}
