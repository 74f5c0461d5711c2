import { Typography } from 'antd'

/** A text to be copied into a device. */
export const Copyable = ({ text }: { readonly text: string }) => (
  <Typography.Text code copyable>
    {text}
  </Typography.Text>
)
