// Package otlp sends spans to an OpenTelemetry collector over OTLP/HTTP. It is
// apart from package serve so that only programs that send spans carry the
// exporter.
//
// What belongs here: the exporter and its settings. What never does: what is
// told of a request (package serve).
package otlp

import (
	"context"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Wanted reports whether the standard environment variables ask for spans. They
// are off unless an endpoint is named.
func Wanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// New makes a provider that the standard environment variables set up. The
// service is called gbt unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES
// says otherwise. close sends what is left. failed is told of spans that could not
// be sent, for the whole process: OpenTelemetry has one place for that.
func New(ctx context.Context, failed func(error)) (provider trace.TracerProvider, close func() error, err error) {
	exp, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, err
	}
	res, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(serviceName), resource.WithFromEnv())
	if err != nil {
		return nil, nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(failed))
	p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exp), sdktrace.WithResource(res))
	return p, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return p.Shutdown(ctx)
	}, nil
}

var serviceName = attribute.String("service.name", "gbt")
