import { StopOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { CredentialsMenu } from './credentials-menu.tsx'
import { RefusalList } from './refusal-list.tsx'
import { refusalsQuery } from './refusals-query.ts'

const DRAWER_PX = 560

/** Buttons of the list of concentrators: refused gateways, and the menu of credentials. */
export function LoginButtons({ onOpen }: { readonly onOpen: (deviceId: number) => void }) {
  const { t } = useTranslation('devices')
  const [isOpen, setOpen] = useState(false)
  const refusals = useQuery(refusalsQuery())
  return (
    <>
      <Button icon={<StopOutlined />} data-testid="refusals-open" onClick={() => setOpen(true)}>
        {t('refusal.open', { count: refusals.data?.total ?? 0 })}
      </Button>
      <CredentialsMenu />
      <SideDrawer
        isWanted={isOpen}
        title={t('refusal.title')}
        widthPx={DRAWER_PX}
        onClose={() => setOpen(false)}
      >
        <Answer query={refusals}>
          {({ datalist }) =>
            datalist.length === 0 ? (
              <EmptyState title={t('refusal.none')} hint={t('refusal.noneHint')} />
            ) : (
              <RefusalList
                refusals={datalist}
                onOpen={(deviceId) => {
                  setOpen(false)
                  onOpen(deviceId)
                }}
              />
            )
          }
        </Answer>
      </SideDrawer>
    </>
  )
}
