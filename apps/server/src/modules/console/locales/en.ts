/** The company that the demo is about, as its title bar names it. */
export const demoTitle = 'Heyuan Heating Group'
