import { createLink, type LinkComponent } from '@tanstack/react-router';
import { PlainLink } from './button.tsx';

const RouterLink = createLink(PlainLink);

/** A link to a page of this program, with its parameters checked by the types of the routes. */
export const Link: LinkComponent<typeof PlainLink> = (props) => <RouterLink preload="intent" {...props} />;
