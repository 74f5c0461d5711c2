import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'

interface AddButtonProps {
  readonly label: string
  readonly onAdd: () => void
}

/** Opens the form of a new record. */
export const AddButton = ({ label, onAdd }: AddButtonProps) => (
  <Button type="primary" icon={<PlusOutlined />} data-testid="record-add" onClick={onAdd}>
    {label}
  </Button>
)
