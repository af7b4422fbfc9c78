package par

import "context"

// GivingWay returns the context as it is: work no longer gives way. It goes with its last user,
// fit's foreseen.
func GivingWay(ctx context.Context, _ int) (giving context.Context, over func()) {
	return ctx, func() {}
}
