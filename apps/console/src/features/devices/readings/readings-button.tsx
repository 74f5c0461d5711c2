import { LineChartOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyPart } from '../../../shared/lazy/lazy-part.tsx'

const loadDrawer = () => import('./readings-drawer.tsx')

/** Opens the import of readings. */
export function ReadingsButton() {
  const { t } = useTranslation('devices')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={<LineChartOutlined />}
        title={t('readings.means')}
        data-testid="readings-open"
        onClick={() => setOpen(true)}
      >
        {t('readings.open')}
      </Button>
      <LazyPart
        wanted={isOpen}
        load={loadDrawer}
        onFailed={() => setOpen(false)}
        props={{ isOpen, onClose: () => setOpen(false) }}
      />
    </>
  )
}
