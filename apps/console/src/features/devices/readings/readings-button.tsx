import { LineChartOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReadingsDrawer } from './readings-drawer.tsx'

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
      <ReadingsDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
