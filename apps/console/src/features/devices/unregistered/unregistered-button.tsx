import { RadarChartOutlined } from '@ant-design/icons'
import type { UnregisteredDevice } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { AdoptUnregistered } from './adopt-unregistered.tsx'
import styles from './unregistered.module.css'
import { UnregisteredList } from './unregistered-list.tsx'
import { unregisteredCountQuery, unregisteredQuery } from './unregistered-query.ts'

const DRAWER_PX = 560

/**
 * Button of the list of concentrators that opens the unregistered devices: those that send data, with their
 * registration.
 */
export function UnregisteredButton({ onAdopted }: { readonly onAdopted: () => void }) {
  const { t } = useTranslation('devices')
  const [isOpen, setOpen] = useState(false)
  const [adopted, setAdopted] = useState<UnregisteredDevice>()
  const total = useQuery(unregisteredCountQuery).data ?? 0
  const unregistered = useQuery({ ...unregisteredQuery(), enabled: isOpen })
  return (
    <>
      <Button icon={<RadarChartOutlined />} data-testid="unregistered-open" onClick={() => setOpen(true)}>
        {t('unregistered.open', { count: total })}
      </Button>
      <SideDrawer
        isWanted={isOpen}
        title={t('unregistered.title')}
        widthPx={DRAWER_PX}
        onClose={() => setOpen(false)}
      >
        <Answer query={unregistered}>
          {({ datalist, total: all }) =>
            datalist.length === 0 ? (
              <EmptyState title={t('unregistered.none')} hint={t('unregistered.noneHint')} />
            ) : (
              <>
                <UnregisteredList devices={datalist} onAdopt={setAdopted} />
                {all > datalist.length && (
                  <p className={styles.more}>{t('unregistered.more', { shown: datalist.length, all })}</p>
                )}
              </>
            )
          }
        </Answer>
      </SideDrawer>
      <AdoptUnregistered
        unregistered={adopted}
        onClose={() => setAdopted(undefined)}
        onDone={() => {
          setAdopted(undefined)
          onAdopted()
        }}
      />
    </>
  )
}
