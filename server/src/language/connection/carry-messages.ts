/** Has the server's texts made as messages: the module is the first that is imported, so that tables of texts are, too. */
import { messages } from '../../util/messages.ts';
import { carry } from '../../util/say.ts';

carry(messages);
